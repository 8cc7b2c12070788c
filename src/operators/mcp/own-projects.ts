import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { ToolCaller } from '../assistant/tools/caller'
import type { McpUse } from './server'

const Page = Type.Object({
  data: Type.Object({
    items: Type.Array(Type.Object({ id: Type.String(), slug: Type.String() })),
    nextCursor: Type.Union([Type.String(), Type.Null()]),
  }),
})

type Named = Static<typeof Page>['data']['items'][number]

/** Finds projects among those of which the caller is a member. */
export const findAmongOwn =
  (caller: ToolCaller): McpUse['findProject'] =>
  async (ref) => {
    const own = await listOwn(caller)
    const named = ref === undefined ? own : own.filter(({ id, slug }) => id === ref || slug === ref)
    const [only, ...more] = named
    if (only && more.length === 0) return only
    if (ref !== undefined) return { fault: `You are a member of no project ${ref.slice(0, 64)}` }
    const slugs = own.slice(0, 20).map(({ slug }) => slug)
    return { fault: only ? `Name a project: ${slugs.join(', ')}` : 'You are a member of no project' }
  }

async function listOwn(caller: ToolCaller): Promise<Named[]> {
  const own: Named[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: unknown = await read(caller, cursor)
    if (!Value.Check(Page, page)) return own
    own.push(...page.data.items)
    cursor = page.data.nextCursor
  }
  return own
}

async function read(caller: ToolCaller, cursor: string): Promise<unknown> {
  const after = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
  const response = await caller.send('GET', `/dashboard/projects?limit=100${after}`, null)
  return response.json()
}
