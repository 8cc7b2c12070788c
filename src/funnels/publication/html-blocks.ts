import { sha256Hex } from '../../base/lib/hash'
import type { FunnelContent } from '../../core/funnel/model'
import { blocksOf, pagesOf } from '../../core/funnel/walk'

/** The name of an `html` block in its address. It changes with the source, so browsers may keep the answer for ever. */
export const htmlBlockHash = (source: string): string => sha256Hex(source).slice(0, 32)

/** The source of the `html` block of a funnel with this hash; null = none. */
export const findHtmlBlock = (content: Pick<FunnelContent, 'pages'>, hash: string): string | null =>
  pagesOf(content)
    .flatMap(([page, path]) => blocksOf(page, path))
    .flatMap(([block]) => (block.type === 'html' ? [block.props.source] : []))
    .find((source) => htmlBlockHash(source) === hash) ?? null

/** The page of an `html` block. Its own policy lets its script run and reach nothing (funnels 1). */
export const htmlBlockAnswer = (source: string): Response =>
  new Response(source, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy':
        "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  })
