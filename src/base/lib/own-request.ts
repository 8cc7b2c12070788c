/** A request that a command makes to the application in its own process. What comes over a connection is none. */
export class OwnRequest extends Request {
  /** What its route has thrown. */
  failure: unknown = undefined
}
