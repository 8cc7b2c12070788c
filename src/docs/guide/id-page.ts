import { codeSpan, GUIDE, type Page } from './page'
import { marked, table } from './reference-html'

/** Where calls name a person: the paths, where in the call, the name, and what it means there. */
export const PLACES: readonly (readonly [paths: string[], place: string, name: string, means: Meaning])[] = [
  [['/v1/identify'], 'body', 'deviceKey', 'DEVICE'],
  [['/v1/identify'], 'body', 'svcId', 'DEVICE'],
  [['/v1/identify'], 'body', 'appUserId', 'OWN'],
  [['/v1/receipts/ios', '/v1/receipts/android'], 'body', 'appUserId', 'DEVICE'],
  [
    [
      ...['/v1/me', '/v1/me/access', '/v1/me/access-lease', '/v1/me/attributes', '/v1/me/bootstrap'],
      ...['/v1/me/entitlements'],
      ...['/v1/virtual-currencies/me', '/v1/checkout', '/v1/billing-portal', '/v1/events'],
      ...['/v1/offerings', '/v1/offerings/{identifier}', '/v1/placements/{identifier}'],
    ],
    'header',
    'X-Svc-App-User-Id',
    'DEVICE',
  ],
  [
    [
      ...['/v1/config', '/v1/config/stream', '/v1/experiments/track', '/v1/events'],
      ...['/v1/offerings', '/v1/offerings/{identifier}', '/v1/placements/{identifier}'],
    ],
    'header',
    'X-Svc-User-Id',
    'DEVICE',
  ],
  [
    [
      ...['/v1/config', '/v1/config/stream', '/v1/experiments/track'],
      ...['/v1/offerings', '/v1/offerings/{identifier}', '/v1/placements/{identifier}'],
    ],
    'query',
    'subscriberId',
    'DEVICE',
  ],
  [['/v1/events', '/v1/experiments/{id}/expose', '/v1/sdk/sessions'], 'body', 'subscriberId', 'DEVICE'],
  [['/v1/events'], 'query', 'subscriberId', 'SUBSCRIBER'],
  [
    [
      ...['/v1/subscribers/{appUserId}/access', '/v1/subscribers/{appUserId}/attributes'],
      '/v1/subscribers/{appUserId}/restore',
    ],
    'path',
    'appUserId',
    'BY_KEY',
  ],
  [
    [
      '/v1/subscribers/{appUserId}/access/{identifier}/explain',
      ...['/v1/virtual-currencies/{appUserId}', '/v1/virtual-currencies/{appUserId}/{code}/transactions'],
    ],
    'path',
    'appUserId',
    'ANY',
  ],
  [['/v1/subscribers/transfer'], 'body', 'fromAppUserId', 'ANY'],
  [['/v1/subscribers/transfer'], 'body', 'toAppUserId', 'ANY'],
  [['/v1/dsar/export', '/v1/dsar/erasure'], 'body', 'appUserId', 'ANY'],
]

type Meaning = keyof typeof MEANINGS

const MEANINGS = {
  DEVICE: 'the device key',
  OWN: 'your own id of the person',
  SUBSCRIBER: 'a `sub_` id; the call only reads what belongs to it',
  ANY: 'a `sub_` id, else your own id, else a device key',
  BY_KEY: 'with a public key the device key; with a secret key a `sub_` id, else your own id, else a device key',
}

const NAMES = [
  [
    'Device key',
    'the app, once at its first start: `svc_` and random characters, kept in the storage of the device',
    'one install of the app. It is sent with every call of the app and is no secret to the person who has the device.',
  ],
  [
    'Your own id (label)',
    'your server: the id of the account in your own database',
    'one person on all their devices. `POST /v1/identify` binds a device key to it. It is never used in a call of the app but there.',
  ],
  [
    'Subscriber id (`sub_…`)',
    'svc',
    'one row of a person. Events, webhooks and the console have it. When two rows become one, the older id goes on leading to it.',
  ],
]

const JOINING = `<p>An app sends its device key from the first start on. When somebody signs in, call <code>identify</code> with the
device key and your id: what the device has bought then belongs to that person, also on their other devices. When they
sign out, make another device key; the one before stays with the person. <a href="${GUIDE}identity">Who is calling</a> says
how your server proves an id.</p>`

const OTHERS = `<p>The target of an OpenFeature evaluation (<code>targetingKey</code>) is the device key; with a secret key it can also be a
<code>sub_</code> id or your own id. On the command line, <code>--device</code> takes a device key; <code>--person</code>,
<code>--subscriber</code> and the like take any of the three, except <code>svc identity token --subscriber</code>, which takes
your own id. Every other id begins with what it names, such as <code>pur_</code> for a purchase.</p>`

/** Which id of a person is meant where. */
export function idPage(): Page {
  const headings = ['The three ids', 'Ids by place'].map((text) => ({ level: 2, id: idOf(text), text }))
  return {
    slug: 'reference/ids',
    title: 'Ids of people',
    summary: 'Device key, your own id and subscriber id: who makes them, and which of them a call means.',
    html: [
      title('The three ids'),
      table(
        ['Id', 'Made by', 'Names'],
        NAMES.map((row) => row.map(marked)),
      ),
      JOINING,
      title('Ids by place'),
      table(
        ['Calls', 'Place', 'Name', 'Means'],
        PLACES.map(([paths, place, name, means]) => [
          paths.map(codeSpan).join('<br>'),
          place,
          codeSpan(name),
          marked(MEANINGS[means]),
        ]),
      ),
      OTHERS,
    ].join('\n'),
    headings,
  }
}

const idOf = (text: string): string => text.replaceAll(' ', '-')
const title = (text: string): string => `<h2 id="${idOf(text)}"><a href="#${idOf(text)}">${text}</a></h2>`
