/** A test store within this process, as the client of the real one reaches it: no network and no credentials. */
export interface InProcessStore {
  /** Whether an id is one of the test store's; every call about it is its own, and none about any other. */
  knows(id: string): boolean
  fetch(request: Request): Promise<Response>
}

/** The test store of each store, as it knows one project; switched off, it knows its own ids and nothing of them. */
export interface TestStores {
  ios(projectId: string): InProcessStore
  android(projectId: string): InProcessStore
  payment(projectId: string): InProcessStore
}

// Made by the test store, which lies above all who ask it.
declare module '../base/state' {
  interface SliceState {
    testStores: TestStores
  }
}

/** The same as a client library wants it. */
export const fetchOf = (store: InProcessStore): typeof fetch =>
  Object.assign((input: string | URL | Request, init?: RequestInit) => store.fetch(requestOf(input, init)), {
    preconnect: () => {},
  })

// Libraries pass an address, or a request that is ready.
const requestOf = (input: string | URL | Request, init: RequestInit | undefined): Request =>
  input instanceof Request ? new Request(input, init) : new Request(String(input), init)
