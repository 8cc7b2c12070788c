import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { invalid } from '../../base/errors'
import { SERVED_WIDTHS } from '../../core/funnel/files'
import { serveAsset } from './service'

/** The files of funnels, for everybody who has their address (wire 7.7). */
export const assetRoutes = (ctx: Context) =>
  new Elysia().get(
    '/assets/:projectId/:assetId/:hash',
    ({ params, query, request }) => serveAsset(ctx, request, params, widthOf(query.w)),
    {
      query: Type.Object({ w: Type.Optional(Type.String({ maxLength: 8, description: SERVED_WIDTHS.join(', ') })) }),
      detail: { hide: true },
    },
  )

function widthOf(given: string | undefined): number | null {
  if (given === undefined) return null
  const width = SERVED_WIDTHS.find((one) => String(one) === given)
  if (width === undefined) throw invalid(`w is one of ${SERVED_WIDTHS.join(', ')}`)
  return width
}
