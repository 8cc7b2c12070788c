import type { FindingCode } from '../../../core/finding/findings'

/** The texts for each finding about a project: a title and what to do. `{name}` is replaced by the value. */
type Words = Readonly<Record<FindingCode, readonly [title: string, hint: string | null]>>

const words: Words = {
  STORED_BROKEN: ['A stored object is broken: {kind} {id}, at {path} ({message})', 'Save it again.'],
  NO_API_KEY: ['No API key is live', 'Make an API key.'],
  CREDENTIALS_SEALED: [
    'The saved keys do not open: {section}',
    'Save them again, or whoever runs the server brings back the master key of before.',
  ],
  NO_IOS_BUNDLE_ID: ['No bundle ID is set, so receipts from iOS are refused', 'Enter the bundle ID of the app.'],
  NO_IOS_APP_ID: [
    'No Apple ID of the app is set, so production notifications must wait',
    'Enter the Apple ID of the app.',
  ],
  NO_ANDROID_ORDERS: [
    'Google Play does not show orders to the service account, so one-time purchases and prorations have no money',
    'Give it the right to see financial data in the Play Console.',
  ],
  NO_PAYMENT_ACCOUNT: ['Products have a payment ID, but no payment account is connected', 'Connect a payment account.'],
  NO_PAYMENT_SECRET_KEY: [
    'No secret key of the payment provider is saved, so nothing is sold on the web',
    'Enter the secret key.',
  ],
  NO_PAYMENT_WEBHOOK_SECRET: [
    'No signing secret of the payment provider is saved, so every event is refused',
    'Enter the signing secret of the webhook.',
  ],
  PAYMENT_MODES_DIFFER: [
    'The secret key is of {keyMode} mode, and the account is of {mode} mode',
    'Make the key and the account of the same mode.',
  ],
  NO_PLATFORM_KEYS: [
    'The project sells through a connected account, and the server has no keys of the platform for {mode} mode',
    'Whoever runs the server sets them.',
  ],
  NO_PUBLISHABLE_KEY: [
    'No publishable key is saved, so nobody can pay in these funnels: {names}',
    'Enter the publishable key.',
  ],
  SHIELD_NO_CONSENT: [
    'The refund shield answers nothing until your customers agreed',
    'Confirm the consent of your customers.',
  ],
  SHIELD_NO_KEY: ['The refund shield has no key to answer with', 'Save the In-App Purchase key.'],
  SDK_DOOR_TEST_STORE: [
    'Apps with the public key can buy at the test store',
    'Switch the test store off for apps on the former SDK after your tests.',
  ],
  SDK_DOOR_NO_STORE: [
    'Apps on the former SDK are answered, but no store is connected',
    'Connect the App Store or Google Play.',
  ],
  SDK_DOOR_NO_PLANS: [
    'Android apps on the former SDK do not show subscriptions without a base plan: {names}',
    'Enter the base plan of each product.',
  ],
  NOTIFICATIONS_FAILED: [
    'Notifications of the stores that could not be processed in the last 24 hours: {count}',
    'Look at them, correct the reason, and process them again.',
  ],
  NOTIFICATIONS_WAIT: [
    'Notifications of the stores that wait: {count}, the oldest for {minutes} minutes',
    'Check that a server runs and that the stores answer it.',
  ],
  NO_DEFAULT_OFFERING: ['No offering is the default', 'Mark one as the default.'],
  PRODUCTS_GIVE_NOTHING: ['These products give neither access nor currency: {names}', 'Let each give something.'],
  PRODUCTS_WITHOUT_PERIOD: [
    'These subscriptions of the App Store have no period, so one that does not renew never ends: {names}',
    'Enter the period of each.',
  ],
  PRODUCTS_TEST_STORE_ONLY: [
    'These products have no store ID, so only the test store sells them: {names}',
    'Enter the ID that each has in its store.',
  ],
  PRODUCTS_UNSOLD: [
    'These products have no store ID, so no store sells them: {names}',
    'Enter the ID that each has in its store.',
  ],
  PRODUCTS_MISSING: [
    'People bought products of {store} that the catalogue lacks: {names}',
    'Add a product with each ID; the purchases give access soon after.',
  ],
  PURCHASES_FORMER_KEY: [
    'App Store purchases with a key of an earlier release: {count}',
    'A running server repairs each within minutes once the catalogue has its product.',
  ],
  CHARGES_COPIED: [
    'App Store subscriptions with charges that an earlier release recorded twice: at least {count}',
    'A running server joins them within minutes.',
  ],
  CREDIT_DOUBLED: [
    '{subscriber} got {amount} {currency} a second time for {purchase}',
    'Whoever runs the server takes back credits that were given twice.',
  ],
  IDENTITY_SECRET_SEALED: [
    'The identity secret does not open',
    'Rotate the secret, or whoever runs the server brings back the master key of before.',
  ],
  IDENTITY_NOTHING_CHECKS: [
    'Identity tokens are required, and nothing checks them',
    'Create an identity secret, or enter the address of your public keys.',
  ],
  IDENTITY_KEYS_ADDRESS: [
    'The address of the public keys cannot be called, so identity tokens are refused',
    'Correct the address of the public keys.',
  ],
  IDENTITY_KEYS_TIMEOUT: [
    'The address of the public keys does not answer in time, so identity tokens are refused',
    'Correct the address of the public keys.',
  ],
  IDENTITY_KEYS_UNREACHABLE: [
    'The address of the public keys cannot be reached, so identity tokens are refused',
    'Correct the address of the public keys.',
  ],
  IDENTITY_KEYS_TOO_LARGE: [
    'The address of the public keys answers more than 512 KiB, so identity tokens are refused',
    'Correct the address of the public keys.',
  ],
  IDENTITY_KEYS_STATUS: [
    'The address of the public keys answers {status}, so identity tokens are refused',
    'Correct the address of the public keys.',
  ],
  IDENTITY_KEYS_MALFORMED: [
    'The address of the public keys answers something that is no JWKS, so identity tokens are refused',
    'Correct the address of the public keys.',
  ],
  IDENTITY_KEYS_EMPTY: [
    'The address of the public keys has no usable key, so identity tokens are not valid',
    'Publish a key there, or correct the address.',
  ],
  AUDIENCE_LISTS_STALE: [
    'The lists of IDs of these audiences were hashed with another master key and match nobody: {names}',
    'Send the lists again, or whoever runs the server brings back the master key of before.',
  ],
  RULE_CHANGED: [
    'A rule means something else than before: {name}, {path} ({message})',
    'When it is right, save it with any change, for example of the description, and this ends.',
  ],
  RULES_CHANGED_MORE: ['More rules that compare lists by their items now: {count}', null],
  CERTIFICATE_EXPIRED: ['The certificate of {hostname} has expired; visitors are warned', 'Renew it.'],
  DOMAIN_HELD: [
    'Another project has proved the custom domain {hostname}',
    'Delete it, or have the other project give it up.',
  ],
  DOMAIN_FAILED: [
    'The custom domain {hostname} failed: its TXT record was not seen for 72 hours',
    'Set the records that the domain shows, then check it.',
  ],
  DOMAIN_PENDING: [
    'The custom domain {hostname} waits for its TXT record',
    'The domain shows the record that is missing.',
  ],
  DOMAIN_RECORD_GONE: [
    'The TXT record of {hostname} is gone',
    'Set it again, or its pages stop 7 days after it was gone.',
  ],
  DOMAIN_ELSEWHERE: [
    'The custom domain {hostname} does not lead to this server',
    'Set the records that the domain shows, then check it.',
  ],
  WEBHOOK_SEALED: [
    'Nothing is sent to the webhook endpoint {name}, because its signing secret does not open',
    'Rotate the secret, or whoever runs the server brings back the master key of before.',
  ],
  WEBHOOK_GONE: [
    'The webhook endpoint {name} was switched off, because its address answered 410',
    'Correct the receiver, switch it on again, and replay what it has missed.',
  ],
  WEBHOOK_FAILING: [
    'The webhook endpoint {name} was switched off, because nothing could be delivered to it for five days',
    'Correct the receiver, switch it on again, and replay what it has missed.',
  ],
  DELIVERIES_LATE: [
    'Deliveries are due for up to {minutes} minutes; targets that wait: {targets}',
    'Check that a server runs, and that the receivers answer quickly.',
  ],
  FORWARD_NO_ANSWER: [
    'Notifications of {store} are not taken by {host}: no answer, failed attempts in 24 hours: {failures}',
    'Correct the receiver, or delete the forward.',
  ],
  FORWARD_REFUSED: [
    'Notifications of {store} are not taken by {host}: the answer was {status}, failed attempts in 24 hours: {failures}',
    'Correct the receiver, or delete the forward.',
  ],
  EXPORT_SEALED: [
    'Nothing is exported to {target}, because its credentials do not open',
    'Give the schedule its credentials again, or whoever runs the server brings back the master key of before.',
  ],
  EXPORT_FAILED: [
    'The export to {target} failed; failures in a row: {failures} ({error})',
    'Correct the schedule; it is tried again every day.',
  ],
  DATA_REQUESTS_LATE: ['Data requests that have waited for more than a day: {count}', 'Open them to see why.'],
  DATA_REQUESTS_FAILED: ['Data requests that failed in the last 30 days: {count}', 'Open them to see why.'],
  COMPARE_SEALED: [
    'Nothing is compared at night, because the key of the vendor does not open',
    'Set the schedule again, or whoever runs the server brings back the master key of before.',
  ],
  COMPARE_FAILED: ['The last nightly comparison has stopped: {error}', null],
  FIGURES_DIFFER: [
    'Kept sums of figures differ from the entries that they are made of',
    'Save another time zone and the right one again, which computes them anew, and report this.',
  ],
  RATES_NONE: [
    'There are no exchange rates, so amounts in other currencies have no amount in USD. The last fetch failed: {fault}',
    'Whoever runs the server loads the rates. The chart shows what lacks one.',
  ],
  RATES_STALE: [
    'The newest exchange rates are of {day}, more than 72 hours ago',
    'Whoever runs the server loads the rates. The chart shows what lacks one.',
  ],
  RATES_STALE_FAULT: [
    'The newest exchange rates are of {day}, more than 72 hours ago. The last fetch failed: {fault}',
    'Whoever runs the server loads the rates. The chart shows what lacks one.',
  ],
}

export const texts = {
  words,
  /** A list of which only the first are named. */
  andMore: '{names} and {more} more',
  /** What the project keeps keys of. */
  sections: {
    ios: 'App Store',
    android: 'Google Play',
    payment: 'payment provider',
    refundShield: 'refund shield',
  } as Readonly<Record<string, string>>,
  modes: { test: 'test', live: 'live' } as Readonly<Record<string, string>>,
}
