// What is told rather than asked: the events that webhooks deliver, and the messages of the live channel.

export const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

const example = (name, words, body) =>
  element("details", {}, element("summary", {}, element("code", { textContent: name }), ` ${words}`), element("pre", { tabIndex: 0, textContent: JSON.stringify(body, null, 2) }));

const events = ({ webhooks }) =>
  Object.entries(webhooks).map(([type, { post }]) => example(type, post.summary, post.requestBody.content["application/json"].example));

const messages = ({ components }) =>
  Object.values(components.messages).flatMap(({ name, summary = "", examples }) => examples.map(({ payload }) => example(name, summary, payload)));

const read = async (path) => (await fetch(path)).json();

/** Fills each list when it is first opened: most readers come for an operation. */
export function fillWhenOpened(spec) {
  const lists = { events: () => events(spec), live: async () => messages(await read("/asyncapi.json")) };
  for (const [id, made] of Object.entries(lists)) {
    const list = document.getElementById(id);
    list.addEventListener("toggle", async () => list.append(...(await made())), { once: true });
  }
}
