import { writePart } from '../../../projects/project-file/write-yaml'
import type { ProductPlan } from './plan'

/** The accesses and products of a plan as a project file, which `svc apply` takes; null when it has none. */
export function catalogFile({ access, products }: ProductPlan, fileName: string): string | null {
  if (products.length === 0) return null
  const content = {
    version: 1,
    ...(access.length > 0 && {
      access: Object.fromEntries(access.map(({ identifier, displayName }) => [identifier, { displayName }])),
    }),
    products: Object.fromEntries(products.map((one) => [one.identifier, productContent(one)])),
  }
  return `${headOf(fileName)}${writePart(content)}`
}

const headOf = (fileName: string): string =>
  [
    `# Products that ${fileName.replace(/[^\x20-\x7e]/g, '?')} names and the catalogue does not have.`,
    '# Names, periods and accesses are those of the file: look through them, then: svc apply -f <this file>',
    '',
  ].join('\n')

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
