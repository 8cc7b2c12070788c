import type { Context, Tx } from '../../base/context'
import { outsideNow } from '../../base/lib/clock'
import { toIso } from '../../base/lib/time'
import { listProjects } from '../../projects/project/service'
import { domainOf } from '../accounts/email'
import { peopleOf } from '../members/hooks'
import { type NoticeKind, notify, type Person } from '../notices/notify'
import { listEnds, listProvedUsers, type NameRow, raiseAlert } from './queries'
import { alertStage } from './schedule'

export const CERTIFICATE_ENDS: NoticeKind = {
  kind: 'certificate_ends',
  description: 'The certificate of a host name ends soon, because it could not be renewed.',
}

/** Tells owners once at a quarter of the life of a certificate, at an eighth, and at its end. */
export async function alertOwners(ctx: Context, rows: readonly NameRow[]): Promise<void> {
  const now = outsideNow(ctx)
  const ends = new Map((await listEnds(ctx)).map((end) => [end.name, end]))
  for (const row of rows) {
    const life = ends.get(row.name)
    const stage = life ? alertStage(life, now) : 0
    if (life && stage > row.alerted) await ctx.write((tx) => alert(tx, row, stage, life.notAfter))
  }
}

async function alert(tx: Tx, { name, projectId }: NameRow, stage: number, notAfter: number): Promise<void> {
  const raised = await raiseAlert(tx, name, stage)
  if (!raised) return // Another process has sent the notice.
  const has = stage === 3 ? 'has ended' : `ends on ${toIso(notAfter)}`
  const why = raised.errorDetail === null ? 'It is being renewed.' : `It could not be renewed. ${raised.errorDetail}.`
  const title = stage === 3 ? `The certificate of ${name} has ended` : `The certificate of ${name} ends soon`
  const paragraphs = [
    `The certificate of ${name} ${has}. ${why}`,
    `Browsers ${stage === 3 ? 'refuse' : 'then refuse'} to open the name. On the machine of the server, svc tls status shows the reason and when it is tried again; svc tls renew ${name} tries it at once.`,
  ]
  const receivers = projectId === null ? { people: await deploymentOwners(tx) } : { roles: ['OWNER' as const] }
  await notify(tx, {
    ...{ kind: CERTIFICATE_ENDS.kind, projectId, title, body: paragraphs.join('\n'), mail: { paragraphs } },
    ...receivers,
  })
}

/** The administrators of the platform; without any, the owners of all projects. */
async function deploymentOwners(tx: Tx): Promise<Person[]> {
  const domains = new Set(tx.config.adminEmailDomains)
  const administrators = domains.size === 0 ? [] : await listProvedUsers(tx)
  const found = administrators.filter(({ email }) => domains.has(domainOf(email)))
  if (found.length > 0) return found
  const owners = (await listProjects(tx)).map(({ id }) => peopleOf(tx, id, ['OWNER']))
  return (await Promise.all(owners)).flat()
}
