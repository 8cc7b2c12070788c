import type { Json } from '../../../base/lib/json-schema'
import { faultAnswer, type ToolAnswer } from './call'
import type { ToolCaller } from './caller'

export const GUIDE_TOOL = 'read_guide'

export const GUIDE_DESCRIPTION =
  'Reads the guide of this server: without arguments the list of its pages, with page one of them, with search the places that contain the words'

export const GUIDE_INPUT = {
  type: 'object',
  properties: {
    page: { type: 'string', maxLength: 100, description: 'The last part of its address, such as webhooks' },
    search: { type: 'string', maxLength: 200 },
  },
  required: [],
  additionalProperties: false,
} satisfies Json

/** A page of the guide as text. */
export async function readGuide(caller: ToolCaller, given: Readonly<Record<string, unknown>>): Promise<ToolAnswer> {
  const { page, search, ...others } = given
  if (Object.keys(others).length > 0) return faultAnswer('VALIDATION_ERROR', `${GUIDE_TOOL} takes page or search`)
  if (page !== undefined && !/^[a-z0-9-]{1,100}$/.test(String(page)))
    return faultAnswer('NOT_FOUND', 'There is no such page; call read_guide without arguments for the list')
  const query = search === undefined ? '' : `?q=${encodeURIComponent(String(search).slice(0, 200))}`
  const response = await caller.send('GET', `/docs/guide/${page === undefined ? query : page}`, null)
  if (!response.ok)
    return faultAnswer('NOT_FOUND', 'There is no such page; call read_guide without arguments for the list')
  return { isError: false, text: JSON.stringify({ text: textOf(await response.text()) }), rows: null }
}

/** The text of the main part of a page, with the addresses of its links to other pages. */
const textOf = (html: string): string =>
  (/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? html)
    .replace(/<(script|style|svg)[\s\S]*?<\/\1>/g, '')
    .replace(/<a [^>]*href="(?:\/docs\/guide\/)?([a-z0-9-]+)[#"][^>]*>([\s\S]*?)<\/a>/g, '$2 ($1)')
    .replace(/<\/(p|h\d|li|tr|pre|div|section)>/g, '\n')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(lt|gt|quot|#39|amp);/g, (_entity, name: string) => ENTITIES[name] ?? '')
    .replace(/[ \t]+/g, ' ')
    .replace(/\n\s*\n+/g, '\n\n')
    .trim()

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
