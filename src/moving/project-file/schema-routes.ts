import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { projectFileSchema, SCHEMA_PATH } from '../../projects/project-file/file-schema'
import { sectionsOf } from '../../projects/project-file/sections'

/** The JSON Schema of the project file, which editors load by the first line of an export. */
export function schemaRoutes({ hooks }: Context) {
  let text: string | null = null // Drawn at the first request.
  const answer = () => {
    text ??= JSON.stringify(projectFileSchema(sectionsOf(hooks)))
    return new Response(text, {
      headers: {
        'content-type': 'application/schema+json; charset=utf-8',
        'cache-control': 'public, max-age=300',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
      },
    })
  }
  return new Elysia().get(SCHEMA_PATH, answer, { detail: { hide: true } })
}
