import type { Context } from '../../../base/context'
import { AppError } from '../../../base/errors'
import { dataAnswer } from '../../../base/http/object-answer'
import { hasCapability, type MemberRole } from '../../../core/roles/roles'
import { operator } from '../../../projects/doors/operator'
import { hasScope, outOfScope, type Scopes } from '../../../projects/doors/scopes'
import { count } from '../limits'
import { createImportProducts } from './create'
import { ImportProductsSchema, ProductsBody } from './wire'

/** The products that an import names and the catalogue does not have. */
export const importProductRoutes = (ctx: Context) =>
  operator(ctx, { capability: 'subscribers:import' }).post(
    '/imports/:id/products',
    async ({ project, actor, session, role, scopes, params, body, ...call }) => {
      await count(ctx, 'read', call) // No file is read.
      refuseRole(role, scopes)
      const by = { projectId: project.id, actor, hasToken: session === null }
      return { data: await createImportProducts(ctx, by, params.id, body) }
    },
    {
      body: ProductsBody,
      response: dataAnswer(ImportProductsSchema),
      detail: {
        tags: ['Imports'],
        'x-errors': ['RATE_LIMITED', 'IMPORT_JOB_STATE', 'CONFLICT', 'STORE_API_ERROR', 'STORE_UNAVAILABLE'],
        summary: 'Create the products that an import names and the catalogue does not have',
        description:
          'Names, periods and accesses are those of the file. Possible once its dry run has ended, and while its rows are written. 409 CONFLICT when there is nothing to create.',
        operationId: 'createImportProducts',
      },
    },
  )

/** Products are written too. */
function refuseRole(role: MemberRole, scopes: Scopes): void {
  const capability = 'products:write'
  if (!hasCapability(role, capability)) throw new AppError('CAPABILITY_REQUIRED', { role, capability })
  if (!hasScope(scopes, capability)) throw outOfScope(role, capability)
}
