/** A request body as the store posted it. */
export interface Posted {
  bytes: Uint8Array
  contentType: string | null
  encoding: string | null
}
