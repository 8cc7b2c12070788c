/**
 * A test store within this process. It answers the same requests as the real store, without network and credentials.
 */
export interface InProcessStore {
  /** Whether the test store made this id. Each call about such an id goes to the test store, and no other call does. */
  knows(id: string): boolean
  fetch(request: Request): Promise<Response>
}

/** The test store of each store, for one project. When it is switched off, it answers that its ids are unknown. */
export interface TestStores {
  ios(projectId: string): InProcessStore
  android(projectId: string): InProcessStore
  payment(projectId: string): InProcessStore
}

// Created by the test-store slice, which lies above the slices that use it.
declare module '../base/state' {
  interface SliceState {
    testStores: TestStores
  }
}

/** The same as a `fetch` function, which is what client libraries accept. */
export const fetchOf = (store: InProcessStore): typeof fetch =>
  Object.assign((input: string | URL | Request, init?: RequestInit) => store.fetch(requestOf(input, init)), {
    preconnect: () => {},
  })

// Libraries pass either an address or a complete `Request`.
const requestOf = (input: string | URL | Request, init: RequestInit | undefined): Request =>
  input instanceof Request ? new Request(input, init) : new Request(String(input), init)
