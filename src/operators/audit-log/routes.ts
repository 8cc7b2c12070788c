import type { Context } from '../../base/context'
import { verifyAudit } from '../../projects/audit/audit'
import { operator } from '../../projects/doors/operator'
import { listAuditViews } from './list'
import { AuditAnswer, AuditQuery, ProofAnswer, toProofView } from './wire'

const tags = ['Audit log']

/** Who changed what in a project, and the proof that the log itself was not changed. */
export const auditLogRoutes = (ctx: Context) =>
  operator(ctx, { role: 'ADMIN' })
    .get('/audit-log', async ({ project, query }) => ({ data: await listAuditViews(ctx, project.id, query) }), {
      query: AuditQuery,
      response: AuditAnswer,
      detail: { tags, summary: 'Audit log of the project', operationId: 'listAuditLog' },
    })
    .get('/audit-log/proof', async ({ project }) => ({ data: toProofView(await verifyAudit(ctx, project.id)) }), {
      response: ProofAnswer,
      detail: {
        tags,
        summary: 'Verify the audit log',
        description: 'Computes the hash of every row again, from the first to the last.',
        operationId: 'proveAuditLog',
      },
    })
