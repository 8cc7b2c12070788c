import type { Context } from '../../../base/context'
import { AppError } from '../../../base/errors'
import { catalogFile } from '../../../intake/missing-products/catalog-file'
import { createMissing, planMissing } from '../../../intake/missing-products/create'
import type { ProductFacts, ProductPlan } from '../../../intake/missing-products/plan'
import type { ProjectActor } from '../../../projects/project/edit'
import { refuseState } from '../machine'
import type { ImportJobRow } from '../queries'
import { requireJob } from '../views'

/** The products of a file, planned or created. */
export interface ImportProducts extends ProductPlan {
  isDryRun: boolean
  /** Purchases that were recorded without these products, and get them now. */
  waitingPurchases: number
  /** A project file with the same accesses and products; null without products. */
  catalog: string | null
}

/**
 * Creates the products that an import names and the catalogue does not have, with the accesses that they give by the file.
 * `dryRun` only tells them. 404 for an import of another project, 409 `IMPORT_JOB_STATE` before its dry run has ended, 409
 * `CONFLICT` when there is none to create, or when the catalogue cannot take as many.
 */
export async function createImportProducts(
  ctx: Context,
  by: ProjectActor,
  id: string,
  { dryRun = false }: { dryRun?: boolean | undefined } = {},
): Promise<ImportProducts> {
  const job = await requireJob(ctx, by.projectId, id)
  const facts = factsOf(job)
  const plan = dryRun
    ? { ...(await planMissing(ctx, by.projectId, facts)), waitingPurchases: 0 }
    : await createMissing(ctx, by, facts, nothingOf)
  const { slug } = await ctx.state.projects.get(by.projectId)
  return { isDryRun: dryRun, ...plan, catalog: catalogFile(slug, plan, headOf(job.fileName)) }
}

const headOf = (fileName: string): string[] => [
  `Products that ${fileName} names and the catalogue does not have.`,
  'Names, periods and accesses are those of the file: look through them, then: svc apply -f <this file>',
]

function factsOf({ status, findings }: ImportJobRow): readonly ProductFacts[] {
  refuseState('createProducts', status)
  if (!findings.products) throw new AppError('IMPORT_JOB_STATE', { action: 'createProducts', state: status })
  return findings.products
}

function nothingOf({ skipped }: ProductPlan): string {
  if (skipped.length === 0) return 'The import names no product that the catalogue does not have'
  return skipped.every(({ reason }) => reason === 'EXISTS')
    ? 'The catalogue has every product of the import by now; try the import again to see it'
    : 'None of the products of the import can be created; `dryRun` says why'
}
