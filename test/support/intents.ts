import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { proposalName } from '../../src/operators/assistant/intents/actions'
import type { Stage } from './cast'
import { join, type Person } from './crew'
import { dumpOf } from './dump'
import { callTool, mcpClient, tokenOf } from './mcp'

// biome-ignore lint/suspicious/noExplicitAny: tests read members of many shapes.
export type Shown = any

/** An agent that proposes, and a person who approves. */
export interface Approving {
  s: Stage
  agent: Client
  person: Person
  path: string
}

export async function approving(s: Stage, person: Person): Promise<Approving> {
  const { client: agent } = await mcpClient(s, await tokenOf(person), `?project=${s.project.id}`)
  return { s, agent, person, path: `/dashboard/projects/${s.project.id}` }
}

export const approver = async (s: Stage): Promise<Approving> => approving(s, await join(s, 'ada', 'OWNER'))

/** Proposes a change and returns the proposal as the inbox shows it. */
export async function proposed(a: Approving, action: string, given: object): Promise<Shown> {
  const { isError, body } = await callTool(a.agent, proposalName(action), { ...given })
  if (isError) throw new Error(`${action}: ${JSON.stringify(body)}`)
  return (await a.person.browser.get(`${a.path}/assistant/intents/${body.data.intentId}`)).body.data
}

export const decide = (a: Approving, id: string, command: string, body: object = {}, by = a.person) =>
  by.browser.post(`${a.path}/assistant/intents/${id}/${command}`, body)

export const execute = (a: Approving, { id, digest }: Shown, by = a.person) => decide(a, id, 'execute', { digest }, by)

/** Written at each call, or only for those who wait for a proposal. */
const BESIDE = ['assistantIntents', 'notices', 'personalAccessTokens', 'userSessions', 'idempotencyKeys', 'migrations']

/** Every row of the database that belongs to no proposal. */
export function wholeState({ ctx }: Stage): Promise<string[]> {
  wanted ??= Object.keys(ctx.tables).filter((name) => !BESIDE.includes(name)) as Shown
  return dumpOf(ctx, wanted as Shown)
}
let wanted: string[] | null = null

/** What was written to the audit log and to the events after some positions. */
export async function writtenAfter({ ctx, project }: Stage, [audit, events]: [number, number]) {
  const { auditLog: a, events: e } = ctx.tables
  const rows = (await ctx.db.select().from(a).orderBy(a.position)).filter(
    (row) => row.projectId === project.id && row.position > audit,
  )
  const happened = (await ctx.db.select().from(e).orderBy(e.position)).filter((row) => row.position > events)
  return { rows, events: happened }
}

export async function positions({ ctx }: Stage): Promise<[number, number]> {
  const { auditLog: a, events: e } = ctx.tables
  const last = (rows: { position: number }[]) => Math.max(0, ...rows.map(({ position }) => position))
  return [last(await ctx.db.select().from(a)), last(await ctx.db.select().from(e))]
}
