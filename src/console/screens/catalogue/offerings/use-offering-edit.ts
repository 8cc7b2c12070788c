import { useLocation } from 'wouter'
import { api, read } from '../../../api/client'
import { useEdit } from '../../../kit/edit'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { FILE, useProducts } from '../use-catalogue'
import { BLANK, type OfferingState, type OfferingView, toBody, toState } from './model'

const PATH = '/dashboard/projects/{projectId}/offerings/{id}'
const LIST = '/dashboard/projects/{projectId}/offerings'

/** The draft of an offering; null = a new one. */
export function useOfferingEdit(offering: OfferingView | null) {
  const t = useText('catalogue')
  const { base, path } = useProject()
  const [, navigate] = useLocation()
  const { items: products } = useProducts()
  const params = { path: { ...path, id: offering?.id ?? '' } }
  const productName = (id: string) => products.find((product) => product.id === id)?.identifier ?? id
  return useEdit({
    name: `offering.${path.projectId}.${offering?.id ?? 'new'}`,
    saved: offering ? { value: toState(offering), revision: offering.revision } : { value: BLANK, revision: null },
    lines: ({ identifier, isDefault, packages, metadata }: OfferingState) => [
      { key: 'identifier', label: t.identifier, text: identifier },
      { key: 'default', label: t.default, text: isDefault ? t.yes : t.no },
      ...packages.map((one, index) => ({
        key: `package.${index}`,
        label: t.packageAt(index + 1),
        text: [
          `${one.identifier}: ${productName(one.productId)}`,
          ...(one.isPromoted ? [t.promoted] : []),
          ...(Object.keys(one.metadata).length > 0 ? [JSON.stringify(one.metadata)] : []),
        ].join(', '),
      })),
      { key: 'metadata', label: t.metadata, text: JSON.stringify(metadata) },
    ],
    save: (state, header) =>
      offering
        ? api.patch(PATH, { params: { ...params, header }, body: toBody(state) })
        : api.post(LIST, { params: { path }, body: toBody(state) }),
    readNewest: async () => {
      const newest = await read(PATH, { params })
      return { value: toState(newest), revision: newest.revision }
    },
    refreshes: [LIST, FILE],
    onSaved: ({ id }) => {
      if (!offering) navigate(`${base}/catalogue/offerings/${id}`, { replace: true })
    },
  })
}
