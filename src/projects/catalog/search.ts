import { findNamed, type SearchObjects } from '../project/search-hook'

/** Products by identifier, store id and name; accesses and offerings by identifier. */
export const searchCatalog: SearchObjects = async (_ctx, { catalog }, text, limit) => [
  ...findNamed(
    'product',
    [...catalog.products.values()].map(({ id, identifier, displayName, iosId, androidId, paymentId }) => ({
      id,
      title: identifier,
      subtitle: displayName,
      names: [identifier, displayName, ...[iosId, androidId, paymentId].filter((one) => one !== null)],
    })),
    text,
    limit,
  ),
  ...findNamed(
    'access',
    [...catalog.access.values()].map(({ id, identifier, displayName }) => ({
      id,
      title: identifier,
      subtitle: displayName,
      names: [identifier, displayName],
    })),
    text,
    limit,
  ),
  ...findNamed(
    'offering',
    catalog.offerings.map(({ id, identifier }) => ({ id, title: identifier, names: [identifier] })),
    text,
    limit,
  ),
]
