import { eq } from 'drizzle-orm'
import type { Handle } from '../db/handle'
import type { CatalogRows } from './snapshot'

/** Every catalogue row of a project. */
export async function loadCatalog({ db, tables }: Handle, projectId: string): Promise<CatalogRows> {
  const { products, access, offerings, virtualCurrencies, currencyGrants } = tables
  const [productRows, accessRows, offeringRows, currencyRows, grantRows] = await Promise.all([
    db.select().from(products).where(eq(products.projectId, projectId)),
    db.select().from(access).where(eq(access.projectId, projectId)),
    db.select().from(offerings).where(eq(offerings.projectId, projectId)),
    db.select().from(virtualCurrencies).where(eq(virtualCurrencies.projectId, projectId)),
    db.select().from(currencyGrants).where(eq(currencyGrants.projectId, projectId)),
  ])
  return {
    products: productRows,
    access: accessRows,
    offerings: offeringRows,
    currencies: currencyRows,
    grants: grantRows,
  }
}
