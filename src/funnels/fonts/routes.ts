import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { api } from '../../projects/doors/api'
import { serveForPages, serveOriginal } from './serve'

const responsesOf = (types: readonly string[]) => ({
  200: {
    description: 'The font. It never changes, so it may be kept for a year.',
    content: Object.fromEntries(types.map((type) => [type, { schema: Type.String({ format: 'binary' }) }])),
  },
})

/** Fonts for apps, with a key of the project (wire 2.17). */
export const fontRoutes = (ctx: Context) =>
  api(ctx, { key: 'any' }).get(
    '/fonts/:faceId/:contentHash/file',
    ({ project, params, request }) => serveOriginal(ctx, request, { projectId: project.id, ...params }),
    {
      detail: {
        tags: ['Funnels'],
        'x-errors': ['NOT_FOUND', 'ASSET_STORAGE_UNAVAILABLE'],
        summary: 'A font as it was uploaded',
        description: '404 when the face does not exist or has other bytes now.',
        operationId: 'getFontFile',
        responses: responsesOf(['font/otf', 'font/ttf', 'font/woff2']),
      },
    },
  )

/** Fonts for pages, for everybody who has their address (funnels 8). */
export const publicFontRoutes = (ctx: Context) =>
  new Elysia().get(
    '/assets/:projectId/fonts/:faceId/:file',
    ({ params, request }) => serveForPages(ctx, request, params),
    {
      detail: { hide: true },
    },
  )
