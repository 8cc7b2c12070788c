/** A test store within this process, as the client of the real one reaches it: no network and no credentials. */
export interface InProcessStore {
  /** Whether an id is one of the test store's; every call about it is its own, and none about any other. */
  knows(id: string): boolean
  fetch(request: Request): Promise<Response>
}

/** The same as a client library wants it. */
export const fetchOf = (store: InProcessStore): typeof fetch =>
  Object.assign((input: string | URL | Request, init?: RequestInit) => store.fetch(requestOf(input, init)), {
    preconnect: () => {},
  })

// Libraries pass an address, or a request that is ready.
const requestOf = (input: string | URL | Request, init: RequestInit | undefined): Request =>
  input instanceof Request ? new Request(input, init) : new Request(String(input), init)
