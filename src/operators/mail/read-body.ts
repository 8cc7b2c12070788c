import type { Context } from '../../base/context'

/** The bytes of a request without an API key or a session, counted with the bodies of all requests. */
export async function readBody(ctx: Context, request: Request): Promise<Uint8Array> {
  const arriving = ctx.state.bodies.expect(request)
  try {
    return await arriving.read()
  } finally {
    arriving.end()
  }
}
