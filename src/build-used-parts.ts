import { readFileSync } from 'node:fs'

/**
 * Areas of the payment provider's interface that svc never calls, such as cards that a company issues. Their classes stay
 * and are empty, and so do those of the objects below.
 */
const UNUSED_AREAS =
  'Apps|Climate|Entitlements|FinancialConnections|Forwarding|Identity|Issuing|ProductCatalog|Radar|Reporting|Reserve|Sigma|Tax|Terminal|TestHelpers|ThreeDSecure|Treasury|V2'
/** Objects of it that svc never calls. */
export const UNUSED_OBJECTS = 'PaymentLinks|Plans|Quotes|Transfers'

/** Ways to sign in at Google from machines of other clouds; svc does it with the key of a service account. */
const UNUSED_SIGN_INS =
  'awsclient|downscopedclient|externalAccountAuthorizedUserClient|gdchclient|identitypoolclient|pluggable-auth-client'

/**
 * Leaves out parts of libraries that are never used: those above, the types of files in mails, which have none, the
 * metadata of Google's machines, and the earlier versions of Pub/Sub. They would be a megabyte of the executable.
 */
export const usedPartsOnly: Bun.BunPlugin = {
  name: 'used-parts-only',
  setup(build) {
    const stripe = `/stripe/esm/resources/((${UNUSED_AREAS})/.*|${UNUSED_OBJECTS})\\.js$`
    replace(build, stripe, (source) =>
      [...source.matchAll(/^export class (\w+) /gm)].map(([, name]) => `export class ${name} {}`).join('\n'),
    )
    replace(
      build,
      '/nodemailer/dist/esm/mime-funcs/mime-types\\.js$',
      () => `export const detectMimeType = () => 'application/octet-stream'
export const detectExtension = () => 'bin'`,
    )
    // Its mails name no files of other servers, which this would fetch.
    replace(build, '/nodemailer/dist/esm/fetch/index\\.js$', () => unused('default'))
    // Without them the first call at Google need not wait for two large modules of Bun.
    replace(build, '/googleapis-common/build/src/http2\\.js$', () => unused('request', 'closeSession'))
    replace(build, '/gaxios/build/cjs/src/gaxios\\.js$', (source) => source.replace('require("https")', '{}'))
    replace(build, `/google-auth-library/build/src/auth/(${UNUSED_SIGN_INS})\\.js$`, (source) => {
      const [named = ''] = /^(exports\.\w+ = )+void 0;$/m.exec(source) ?? []
      return [...named.matchAll(/exports\.\w+/g)].map(([name]) => `${name} = class {}`).join('\n')
    })
    // Only machines of Google's cloud have this service.
    replace(build, '/gcp-metadata/build/src/index\\.js$', () => 'exports.isAvailable = async () => false')
    replace(build, '/googleapis/build/src/apis/pubsub/(v1beta1a|v1beta2)\\.js$', (_source, [, name]) => {
      return `exports.pubsub_${name} = { Pubsub: class {} }`
    })
  },
}

/** A module whose functions are never called. */
const unused = (...names: readonly string[]): string =>
  names.map((name) => `exports.${name} = () => { throw new Error('${name} is not a part of svc') }`).join('\n')

/** Replaces the text of the modules whose path, with slashes, fits a pattern. */
function replace(
  build: Bun.PluginBuilder,
  pattern: string,
  write: (source: string, match: readonly string[]) => string,
): void {
  const filter = new RegExp(pattern.replaceAll('/', '[\\\\/]'))
  build.onLoad({ filter }, ({ path }) => ({
    loader: 'js',
    contents: write(readFileSync(path, 'utf8'), filter.exec(path) ?? []),
  }))
}
