// What calls of the API take and return, from the types that openapi-typescript makes of the OpenAPI document.

import type { operations } from './schema.js';

type Name = keyof operations;
type Body<T> = T extends { content: { 'application/json': infer B } } ? B : never;
type Success<R> = { [S in keyof R]: S extends 200 | 201 | 202 ? Body<R[S]> : never }[keyof R];
type Path<P> = P extends { path: infer T } ? { params: T } : { params?: never };
type Query<P> = P extends { query?: infer Q } ? { query?: { [K in keyof Q]?: Q[K] | string | number | boolean } } : unknown;
type Sent<O> = O extends { requestBody: infer R } ? { body: Body<R> } : O extends { requestBody?: infer R } ? { body?: Body<R> } : unknown;
type Given<N extends Name> = N extends Name ? Path<operations[N]['parameters']> & Query<operations[N]['parameters']> & Sent<operations[N]> : never;
/** May be left out where nothing of it is needed. */
type Options<G> = object extends G ? [options?: G] : [options: G];
type Answer<N extends Name> = Success<operations[N]['responses']>;
type Data<N extends Name> = Answer<N> extends { data: infer D } ? D : never;
type Items<N extends Name> =
  Answer<N> extends (infer I)[] ? I[] : Answer<N> extends { actionItems: (infer I)[] } ? I[] : never;
type How = { key?: string; isShared?: boolean; hasWrittenNumbers?: boolean; padding?: string };
type Turn = { cursor?: string | null };

/** The operations by their ids: parameters and body as the document has them. */
export interface Calls {
  call<N extends Name>(name: N, ...options: Options<Given<N> & How>): Promise<Answer<N>>;
  get<N extends Name>(name: N, ...options: Options<Given<N> & How>): Promise<Data<N>>;
  page<N extends Name>(name: N, ...options: Options<Given<N> & Turn>): Promise<{ items: Data<N>; next: string | null }>;
  bareArray<N extends Name>(name: N, ...options: Options<Given<N> & Turn>): Promise<{ items: Items<N>; next: string | null }>;
}
