import type { Subject } from '../../audiences/model'
import type { CompiledFlag } from '../../flags/model'
import { etagOf } from '../../http/etag'
import { configurationOf, type Evaluation } from '../service'

/** What a subscriber's evaluation is known by to an OpenFeature provider: it has changed when this has. */
export const bulkEtag = (
  subscriberId: string,
  _flags: readonly CompiledFlag<Subject>[],
  evaluation: Evaluation,
): string => etagOf(subscriberId, '/ofrep/v1/evaluate/flags', configurationOf(evaluation))
