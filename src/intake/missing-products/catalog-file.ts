import { writePart } from '../../projects/project-file/write-yaml'
import type { ProductPlan } from './plan'

/**
 * The accesses and products of a plan as a project file of the project `slug`, which `svc apply` takes as it is; null when
 * it has none. `head`: sentences of its first lines.
 */
export function catalogFile(slug: string, { access, products }: ProductPlan, head: readonly string[]): string | null {
  if (products.length === 0) return null
  const content = {
    version: 1,
    project: { slug },
    ...(access.length > 0 && {
      access: Object.fromEntries(access.map(({ identifier, displayName }) => [identifier, { displayName }])),
    }),
    products: Object.fromEntries(products.map((one) => [one.identifier, productContent(one)])),
  }
  return `${head.map(toComment).join('')}${writePart(content)}`
}

const toComment = (sentence: string): string => `# ${sentence.replace(/[^\x20-\x7e]/g, '?')}\n`

function productContent({
  type,
  displayName,
  period,
  storeIds,
  androidBasePlanId,
  access,
}: ProductPlan['products'][0]) {
  const ids = Object.entries(storeIds).filter(([, id]) => id !== null)
  return {
    ...{ type, displayName },
    ...(period !== null && { period }),
    ...(ids.length > 0 && { storeIds: Object.fromEntries(ids) }),
    ...(androidBasePlanId !== null && { androidBasePlanId }),
    ...(access.length > 0 && { access }),
  }
}
