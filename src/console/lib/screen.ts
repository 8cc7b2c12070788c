import type { ComponentType } from 'react'

/** A screen: its path below the place where it is mounted, and how its code is fetched. */
export type ScreenRoute = readonly [path: string, load: () => Promise<{ default: ComponentType }>]
