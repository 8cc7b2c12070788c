import { api } from '../../../api/client'
import { ApiFailure } from '../../../api/failure'
import { Columns } from '../../../kit/card'
import { FieldErrors } from '../../../kit/field'
import { Page } from '../../../kit/page'
import { SaveBar } from '../../../kit/save-bar'
import { State } from '../../../kit/state'
import { roleFor, useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { FilePart } from '../../growth/file-part'
import { ObjectMenu } from '../../growth/object-menu'
import { ProductFields, StoreFields } from './fields'
import { ProductGives } from './gives'
import { CurrencyGrants } from './grants'
import type { ProductView } from './model'
import { useProductEdit } from './use-product-edit'

/** One product: what it is at each store, and what it gives. */
export function ProductEditor({ product }: { product: ProductView | null }) {
  const t = useText('catalogue')
  const common = useText('common')
  const { base, can } = useProject()
  const edit = useProductEdit(product)
  const reason = can('products:write') ? null : common.roleNeeded(roleFor('products:write'))
  const fields = edit.error instanceof ApiFailure ? edit.error.fields : {}
  return (
    <Page
      title={product?.identifier ?? t.newProduct}
      crumbs={[
        [common.catalogue, `${base}/catalogue`],
        [common.products, `${base}/catalogue`],
      ]}
      purpose={product?.displayName}
      beside={
        product && <State tone={product.isActive ? 'good' : 'mute'}>{product.isActive ? t.active : t.inactive}</State>
      }
      actions={product && <ProductMenu product={product} reason={reason} />}
    >
      <FieldErrors.Provider value={fields}>
        <fieldset disabled={reason !== null} className="contents">
          <Columns
            main={
              <>
                <ProductFields draft={edit.draft} />
                <StoreFields draft={edit.draft} />
              </>
            }
            side={
              <>
                <ProductGives draft={edit.draft} />
                <CurrencyGrants draft={edit.draft} />
              </>
            }
          />
        </fieldset>
      </FieldErrors.Provider>
      {product && <FilePart kind="products" identifier={product.identifier} />}
      <SaveBar edit={edit} label={product ? common.save : common.create} reason={reason} />
    </Page>
  )
}

function ProductMenu({ product, reason }: { product: ProductView; reason: string | null }) {
  const t = useText('catalogue')
  const { base, path } = useProject()
  const { id, identifier, revision } = product
  return (
    <ObjectMenu
      name={identifier}
      reason={reason}
      effect={<p>{t.deleteProductEffect}</p>}
      onDelete={() =>
        api.delete('/dashboard/projects/{projectId}/products/{id}', {
          params: { path: { ...path, id }, header: { 'If-Match': `"${revision}"` } },
        })
      }
      refreshes={['/dashboard/projects/{projectId}/products']}
      next={`${base}/catalogue`}
    />
  )
}
