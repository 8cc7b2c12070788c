import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import page from './shop.html' with { type: 'text' }

const Order = Type.Object(
  { device: Type.String({ minLength: 1, maxLength: 128 }), product: Type.String({ minLength: 1, maxLength: 255 }) },
  { additionalProperties: false },
)

// It is imported as a text; the types of Bun know only the other way to import a page.
const PAGE = String(page)

const hidden = { detail: { hide: true } }

/** The example shop, where a demo runs; elsewhere its addresses are unknown. */
export function exampleRoutes(ctx: Context) {
  const shop = () => {
    const { shop } = ctx.state.example
    if (shop === null) throw notFound('page', '/docs/example')
    return shop
  }
  return new Elysia()
    .get('/docs/example', () => pageAnswer(PAGE.replace('PUBLIC_KEY', shop().publicKey)), hidden)
    .post(
      '/docs/example/purchases',
      async ({ body: { device, product } }) => ({ data: { receipt: await shop().buy(device, product) } }),
      { body: Order, ...hidden },
    )
}

// The script is in the page, so that its source shows everything.
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const pageAnswer = (html: string): Response =>
  new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  })
