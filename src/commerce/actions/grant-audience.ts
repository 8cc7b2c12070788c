import { type Static, Type } from '@sinclair/typebox'
import { CommandFailure, type Io, UsageError } from '../../base/cli/command'
import { table } from '../../base/cli/table'
import type { ProjectApi } from '../../projects/project/project-api'

const textOrNull = Type.Union([Type.String(), Type.Null()])
const Person = Type.Object(
  { id: Type.String(), deviceKey: Type.String(), appUserId: textOrNull },
  { additionalProperties: true },
)

/** A newer server may answer more. */
const Granted = Type.Object(
  {
    dryRun: Type.Boolean(),
    audience: Type.Object({ id: Type.String(), name: Type.String() }, { additionalProperties: true }),
    matched: Type.Integer(),
    granted: Type.Integer(),
    unchanged: Type.Integer(),
    people: Type.Array(Person),
    expiresAt: textOrNull,
  },
  { additionalProperties: true },
)
type Granted = Static<typeof Granted>

const Named = Type.Object({ id: Type.String(), name: Type.String() }, { additionalProperties: true })

/** How a grant to an audience is carried out. */
export interface Manner {
  dryRun: boolean
  yes: boolean
  json: boolean
}

export function checkManner(io: Io, manner: Manner): Manner {
  const { dryRun, yes, json } = manner
  if (dryRun && yes) throw new UsageError('--dry-run and --yes exclude each other')
  if (!dryRun && !yes && (!io.isTerminal || json))
    throw new UsageError('grant to an audience cannot ask here: add --yes, or --dry-run to change nothing')
  return manner
}

/** Gives everyone of an audience access, after a question that names how many people it concerns. */
export async function grantAudience(
  io: Io,
  project: ProjectApi,
  reference: string,
  body: object,
  { dryRun, yes, json }: Manner,
): Promise<void> {
  const path = ['audiences', await findAudience(project, reference), 'grants']
  const tried = yes ? null : await project.call('POST', path, { data: Granted, body: { ...body, dryRun: true } })
  const isAsked = tried !== null && !dryRun && tried.matched > 0
  if (isAsked && !(await io.confirm(question(tried)))) throw new CommandFailure('HTTP_ERROR', 'Nothing was granted.')
  const view = tried !== null && !isAsked ? tried : await project.call('POST', path, { data: Granted, body })
  io.out(json ? JSON.stringify(view) : tableOf(view))
}

/** The id of the audience with this name or id. */
async function findAudience(project: ProjectApi, reference: string): Promise<string> {
  const { items } = await project.list(['audiences'], { item: Named, limit: Number.POSITIVE_INFINITY })
  const audience = items.find(({ name }) => name === reference) ?? items.find(({ id }) => id === reference)
  if (!audience) throw new CommandFailure('NOT_FOUND', `The project has no audience "${reference}".`)
  return audience.id
}

const endOf = ({ expiresAt }: Granted): string => (expiresAt === null ? 'for ever' : `until ${expiresAt}`)

function question(tried: Granted): string {
  const { audience, matched, unchanged } = tried
  const same = unchanged === 0 ? '' : ` (${unchanged} of them already for as long)`
  return `Give ${peopleIn(matched)} of ${audience.name} access ${endOf(tried)}: ${namesOf(tried)}${same}?`
}

const peopleIn = (count: number): string => (count === 1 ? '1 person' : `${count} people`)

/** The first people, and how many more there are. */
function namesOf({ people, matched }: Granted): string {
  const names = people.map(({ appUserId, deviceKey }) => appUserId ?? deviceKey).join(', ')
  return matched > people.length ? `${names} and ${matched - people.length} more` : names
}

const tableOf = (view: Granted): string =>
  table([
    ['audience', view.audience.name],
    [view.dryRun ? 'would get it' : 'got it', peopleIn(view.granted)],
    ['had it for as long', peopleIn(view.unchanged)],
    ['access', endOf(view)],
    ['people', view.matched === 0 ? 'none' : namesOf(view)],
  ])
