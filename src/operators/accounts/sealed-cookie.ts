import type { Context } from '../../base/context'

/**
 * What a browser keeps for us between two requests: signed, so that it cannot be made or changed elsewhere, and valid
 * until an instant. No row is written for people who have not signed in.
 */
export function signCookie(ctx: Context, purpose: string, content: object, lifeMs: number): string {
  const text = JSON.stringify({ ...content, until: ctx.clock.now() + lifeMs })
  const body = Buffer.from(text).toString('base64url')
  return `${body}.${ctx.mac.sign(body, purpose)}`
}

/** Null for a text that was not signed for this purpose, or has expired. */
export function openCookie<Content extends object>(ctx: Context, purpose: string, text: string | null): Content | null {
  const [body = '', signature = '', ...more] = (text ?? '').split('.')
  if (more.length > 0 || !ctx.mac.isSigned(body, purpose, signature)) return null
  const content = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Content & { until: number }
  return ctx.clock.now() < content.until ? content : null
}
