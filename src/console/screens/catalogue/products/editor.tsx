import { Columns } from '../../../kit/card'
import { EditFields } from '../../../kit/edit-fields'
import { Page } from '../../../kit/page'
import { SaveBar } from '../../../kit/save-bar'
import { State } from '../../../kit/state'
import { roleFor, useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { ProductFile } from '../files'
import { ProductFields, StoreFields } from './fields'
import { ProductGives } from './gives'
import { CurrencyGrants } from './grants'
import type { ProductView } from './model'
import { ProductMenu } from './product-menu'
import { useProductEdit } from './use-product-edit'

/** One product: its ids at the stores, its accesses and its grants. */
export function ProductEditor({ product }: { product: ProductView | null }) {
  const t = useText('catalogue')
  const common = useText('common')
  const { base, can } = useProject()
  const edit = useProductEdit(product)
  const reason = can('products:write') ? null : common.roleNeeded(roleFor('products:write'))
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
      <EditFields edit={edit} reason={reason}>
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
      </EditFields>
      <ProductFile product={product} edit={edit} />
      <SaveBar edit={edit} label={product ? common.save : common.create} reason={reason} />
    </Page>
  )
}
