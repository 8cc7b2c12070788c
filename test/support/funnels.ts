import type { Answer, Stage } from './cast'
import { dataOf } from './operator'
import type { StaffCalls } from './staff'

type Page = Record<string, unknown>

export const funnelPage = (id: string, to: string | null = null, more: object = {}): Page => ({
  id,
  type: 'question',
  title: { en: `Page ${id}` },
  fields: [],
  next: { rules: [], default: to },
  ...more,
})

export const choice = (id: string, options: readonly string[], more: object = {}) => ({
  id,
  kind: 'single',
  required: true,
  options: options.map((option) => ({ id: option, label: { en: option } })),
  ...more,
})

/** Asks for a goal; who sleeps badly sees two more pages, all end at `done`. */
export const QUIZ: readonly Page[] = [
  funnelPage('goal', 'name', {
    fields: [choice('goal', ['sleep', 'focus'])],
    next: {
      rules: [{ match: 'all', when: [{ field: 'goal', op: 'eq', value: 'focus' }], to: 'done' }],
      default: 'name',
    },
  }),
  funnelPage('name', 'health', { fields: [{ id: 'name', kind: 'text', required: false, max: 20 }] }),
  funnelPage('health', 'done', {
    fields: [
      { id: 'illness', kind: 'text', required: true, sensitive: true },
      { id: 'terms', kind: 'consent', required: false, placeholder: { en: 'I agree to **all** of it' } },
    ],
  }),
  funnelPage('done', null, { type: 'success', title: { en: 'Done, {{answer.name|friend}}', tr: 'Bitti' } }),
]

/** A published funnel; returns its id. */
export async function publishFunnel(dev: StaffCalls, slug: string, pages = QUIZ, more: object = {}): Promise<string> {
  const { id } = await dataOf(dev.post('/funnels', { slug, name: `Funnel ${slug}`, pages, ...more }))
  await dataOf(dev.post(`/funnels/${id}/publish`, {}))
  return id
}

export interface VisitorSession {
  id: string
  token: string
  cookie: string
  /** Calls of the session with its token; another one can be given. */
  post(command: string, body?: object, token?: string | null): Promise<Answer>
  state(token?: string | null): Promise<Answer>
  /** Answers a page and goes on from it. */
  go(pageId: string, answers?: object): Promise<Answer>
}

/** A session of a visitor at a published funnel of the stage's first project. */
export async function begin(s: Stage, slug: string, body: object = {}, query = ''): Promise<VisitorSession> {
  const project = await slugOf(s)
  const path = `/public/funnels/${slug}/sessions?project=${project}${query}`
  const answer = await s.post(path, body, { key: null })
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return sessionOf(s, answer)
}

export function sessionOf(s: Stage, { body, headers }: Answer): VisitorSession {
  const { session_id: id, session_token: token } = body.data
  const base = `/public/funnel-sessions/${id}`
  const withToken = (given: string | null = token) => ({
    key: null,
    headers: { ...(given !== null && { 'x-svc-funnel-session': given }) },
  })
  const session: VisitorSession = {
    id,
    token,
    cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '',
    post: (command, given = {}, own = token) => s.post(`${base}/${command}`, given, withToken(own)),
    state: (own = token) => s.get(`${base}/state`, undefined, withToken(own)),
    async go(pageId, answers) {
      if (answers) await dataOf(session.post('answers', { page_id: pageId, answers }))
      return session.post('advance', { page_id: pageId })
    },
  }
  return session
}

export async function slugOf(s: Stage): Promise<string> {
  return (await s.ctx.state.projects.get(s.project.id)).slug
}
