// Connects the TypeScript client to the MCP endpoint and prints what it found, as JSON.
// Usage: node agent.mjs <url> <access token> <auto|legacy>
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [url, token, mode] = process.argv.slice(2);
const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
const headers = { authorization: `Bearer ${token}` };
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));

const { tools } = await client.listTools();
const { resources } = await client.listResources();
const boards = await client.callTool({ name: 'list_boards', arguments: {} });
const refused = await client.callTool({ name: 'get_board', arguments: { boardId: 'unknown' } });
const definition = await client.readResource({ uri: resources[0].uri });
const badArguments = await client.callTool({ name: 'get_board', arguments: {} }).catch((error) => error.code);
const version = client.getNegotiatedProtocolVersion();
await client.close();

console.log(
  JSON.stringify({
    version,
    tools: tools.map((tool) => tool.name),
    boards: boards.structuredContent.data.map((board) => board.name),
    refused: refused.isError,
    definition: JSON.parse(definition.contents[0].text).rogueId,
    resources: resources.length,
    badArguments,
  }),
);
