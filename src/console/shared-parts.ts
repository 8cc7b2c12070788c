/**
 * Small modules of the first screen that most others share. In the main script they cost less than as files of their own,
 * of which each has its own compression and its own request.
 */
import './kit/state'
import './kit/values'
import './lib/use-once'
import './parts/identicon'
import './parts/person-link'
import './parts/sandbox-note'
import './parts/store'
import './parts/use-href'
import './parts/use-opened-at'
import './parts/words'
import './text/names/stores'
