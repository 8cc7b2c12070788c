import { DAY } from '../../base/lib/clock'
import { bodyOf, type VendorBody } from './body'
import { madeAt, uuidOf } from './event-id'

/** The body of a test delivery: a purchase without a person in the sandbox. Its id and its times are those of the delivery. */
export function testBody({ id, projectId }: { id: string; projectId: string }): VendorBody {
  const at = madeAt(id)
  return bodyOf('TEST', uuidOf(id), at, {
    app_id: projectId,
    app_user_id: 'svc_test',
    original_app_user_id: 'svc_test',
    aliases: ['svc_test'],
    subscriber_attributes: {},
    product_id: 'test_product',
    entitlement_ids: null,
    entitlement_id: null,
    period_type: 'NORMAL',
    purchased_at_ms: at,
    expiration_at_ms: at + 30 * DAY,
    store: 'APP_STORE',
    environment: 'SANDBOX',
    presented_offering_id: null,
    price: 0,
    price_in_purchased_currency: 0,
    currency: 'USD',
    tax_percentage: null,
    commission_percentage: null,
    takehome_percentage: null,
    transaction_id: 'test_transaction',
    original_transaction_id: 'test_transaction',
    is_family_share: false,
    country_code: null,
    offer_code: null,
    renewal_number: 1,
  })
}
