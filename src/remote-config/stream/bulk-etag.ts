import { etagOf } from '../../http/etag'
import type { Configuration } from '../service'

/** What a subscriber's evaluation is known by to an OpenFeature provider: it has changed when this has. */
export const bulkEtag = (subscriberId: string, configuration: Configuration): string =>
  etagOf(subscriberId, '/ofrep/v1/evaluate/flags', configuration)
