import { slice } from '../../base/slice'

/** Whole projects, moved from one deployment to another, by `svc export` and `svc import`. */
export const projectMove = slice({ name: 'project-move' })
