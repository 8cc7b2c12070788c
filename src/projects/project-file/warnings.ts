import { type Plan, plannedIn } from './plan'
import type { ObjectWarning } from './section'

/** A warning about an object of the file. */
export interface FileWarning extends ObjectWarning {
  kind: string
  /** The name of the object. */
  ref: string
}

/** The warnings about all objects of the file, whether they change or not, in the order of the sections. */
export const warningsOf = ({ sections, pairs }: Pick<Plan, 'sections' | 'pairs'>): FileWarning[] =>
  sections.flatMap((section) =>
    plannedIn(pairs)
      .of(section.key)
      .flatMap(({ name, path, after }) =>
        path === null || after === null ? [] : (section.warnings?.(after) ?? []).map((one) => ({ ref: name, ...one })),
      )
      .map(({ ref, path, message }) => ({ kind: section.key.kind, ref, path, message })),
  )
