import { Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { sha256Hex } from '../../base/lib/hash'
import { findAuditHead } from '../../projects/audit/audit-queries'
import { operator } from '../../projects/doors/operator'
import { findProject } from '../../projects/project/service'

const VERSION_LENGTH = 16

const ChangesAnswer = Type.Object(
  {
    data: Type.Object(
      {
        version: Type.String({
          description: 'Another one after every change of the project; nothing can be read from it',
        }),
      },
      { additionalProperties: false, title: 'ProjectChanges' },
    ),
  },
  { additionalProperties: false },
)

/** With it a screen finds out cheaply that another person has changed the object that it shows. */
export const changesRoute = (ctx: Context) =>
  operator(ctx, { role: 'CUSTOMER_SUPPORT' }).get(
    '/changes',
    async ({ project }) => ({ data: { version: await versionOf(ctx, project.id) } }),
    {
      response: ChangesAnswer,
      detail: {
        tags: ['Projects'],
        summary: 'Whether something was changed',
        operationId: 'getProjectChanges',
        description:
          'The version is another one after every change of configuration, keys, members or people by the console, the command line, the project file, a schedule or the server itself. What the stores report is in the stream of events.',
      },
    },
  )

/**
 * Every change by a person has a row in the audit log; changes by the server itself raise the configuration version.
 */
async function versionOf(ctx: Context, projectId: string): Promise<string> {
  const [row, head] = await Promise.all([findProject(ctx, projectId), findAuditHead(ctx, projectId)])
  if (!row) throw notFound('project', projectId)
  return sha256Hex(`${row.configVersion} ${head}`).slice(0, VERSION_LENGTH)
}
