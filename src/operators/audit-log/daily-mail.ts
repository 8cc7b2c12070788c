import { Type } from '@sinclair/typebox'
import type { Context, Tx } from '../../base/context'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { toIso } from '../../base/lib/time'
import { type AuditHead, findGrownHead, saveMailedHead } from '../../projects/audit/grown'
import { listProjects, type ProjectRow } from '../../projects/project/service'
import { type NoticeKind, notify } from '../notices/notify'

export const AUDIT_HEAD: NoticeKind = {
  kind: 'audit_head',
  description: 'By mail only, at most once a day: how many rows the audit log has now, and the hash of the newest one.',
}

const mailHeads = defineJob({
  name: 'audit.mail-heads',
  payload: Type.Object({}, { additionalProperties: false }),
  async handle(ctx, _payload, isStopping) {
    if (ctx.config.mail.smtpUrl === null) return
    for (const project of await listProjects(ctx)) if (!isStopping()) await mailHead(ctx, project)
  },
})

/** Every morning. What is not mailed because the server stops comes a day later. */
export const auditCron = [cronLine({ name: 'mail-audit-heads', pattern: '17 6 * * *', job: mailHeads })]

async function mailHead(ctx: Context, project: ProjectRow): Promise<void> {
  if ((await findGrownHead(ctx, project.id)) === null) return
  await ctx.write(async (tx) => {
    const head = await findGrownHead(tx, project.id)
    if (head) await tellHead(tx, project, head)
  })
}

async function tellHead(tx: Tx, { id: projectId, name, slug }: ProjectRow, head: AuditHead): Promise<void> {
  await saveMailedHead(tx, projectId, head)
  const title = `Audit log of ${name}: ${head.count} rows`
  const paragraphs = [
    `The audit log of ${name} (${projectId}) has ${head.count} rows. The newest row is ${head.id} of ${toIso(head.at)}. Its hash is:`,
    head.rowHash,
    `Keep this mail. For 400 days, the row ${head.id} must be in the audit log with this hash. If it is not, rows were deleted or written anew. svc audit proof --project ${slug}, or the console, verifies all rows.`,
    'This mail comes at most once a day, when the log has grown. You can switch it off in your account, without the other mails.',
  ]
  await notify(tx, {
    ...{ kind: AUDIT_HEAD.kind, projectId, roles: ['OWNER'], title, body: paragraphs.join('\n') },
    ...{ mail: { paragraphs }, isMailOnly: true },
  })
}
