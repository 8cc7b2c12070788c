import { PROGRAM } from '../../src/create-context'
import { sectionsOf } from '../../src/projects/project-file/sections'

/** Every section of the project file. */
export const SECTIONS = sectionsOf(PROGRAM.hooks)
