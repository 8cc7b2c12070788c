import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { enqueue } from '../../base/jobs/queue'
import { defineJob } from '../../base/jobs/registry'
import { HOUR } from '../../base/lib/clock'
import type { ProjectState } from '../../projects/project/state'
import { mailAppLinks } from './app-mail'
import { mailBuyerLink } from './buyer/mail'
import { paidSessionsOf, paymentsOf } from './paid'
import { countMailed } from './queries-links'
import { issueToken } from './service'

/** The most mails of one kind to one address in an hour. */
export const MAILS_PER_HOUR = 3

/** More purchases of one address are not listed in one mail. */
const MOST_PURCHASES = 20

/** `APP`: links into the app; `BUYER`: the link to the buyer's page. */
export type MailPurpose = 'APP' | 'BUYER'

/**
 * Mails a way to what was bought to an address, if something was. It is a job, so that the answer to whoever asked takes
 * the same time for every address.
 */
export const emailClaimJob = defineJob({
  name: 'funnelClaims.mail',
  payload: Type.Object(
    {
      projectId: Type.String({ maxLength: 64 }),
      email: Type.String({ maxLength: 2000 }),
      isSealed: Type.Boolean(),
      purpose: Type.Union([Type.Literal('APP'), Type.Literal('BUYER')]),
    },
    { additionalProperties: false },
  ),
  handle: async (ctx, { projectId, email, isSealed, purpose }) => {
    const address = isSealed ? (ctx.vault?.open(email, SEAL) ?? null) : email
    const project = await ctx.state.projects.find(projectId)
    if (project && address !== null) await mailToBuyer(ctx, project, address, purpose)
  },
})

const SEAL = 'funnel claim address'

export async function requestMail(
  ctx: Context,
  projectId: string,
  address: string,
  purpose: MailPurpose,
): Promise<void> {
  const email = ctx.vault?.seal(address, SEAL) ?? address
  const dedupeKey = `${purpose} ${paymentsOf(ctx).emailHash(ctx, projectId, address)}`
  const payload = { projectId, email, isSealed: ctx.vault !== null, purpose }
  await ctx.write((tx) => enqueue(tx, emailClaimJob, payload, { dedupeKey }))
}

/** With a mail that leads into the app, the tokens of before end (funnels 6). */
async function mailToBuyer(ctx: Context, project: ProjectState, address: string, purpose: MailPurpose): Promise<void> {
  const emailHash = paymentsOf(ctx).emailHash(ctx, project.id, address)
  await ctx.write(async (tx) => {
    await tx.lock(`funnel-mail:${project.id}:${emailHash}`)
    const paid = (await paidSessionsOf(tx, project.id, emailHash)).slice(0, MOST_PURCHASES)
    const after = tx.clock.now() - HOUR
    const mailed = await countMailed(tx, { projectId: project.id, emailHash, purpose, after })
    const [newest] = paid
    if (!newest || mailed >= MAILS_PER_HOUR) return
    if (purpose === 'BUYER') return mailBuyerLink(tx, project, { address, emailHash, locale: newest.session.locale })
    for (const { session } of paid) await issueToken(tx, { projectId: project.id, sessionId: session.id }, 'MAIL')
    return mailAppLinks(tx, project, { address, emailHash, paid })
  })
}
