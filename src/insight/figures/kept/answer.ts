/** Up to which entry and which move of a purchase to another owner something was counted. */
export interface Version {
  position: number
  moved: number
}

/** An answer about a cell, as it was at a version. */
export interface KeptAnswer extends Version {
  projectId: string
  /** The question with its scope. */
  name: string
  start: number
  end: number
  /** JSON. */
  answer: string
  computedAt: number
}

/** What a reader knows of the kept answers when it starts. */
export interface KeptAnswers {
  /** Everything up to here is committed; null = whatever a read shows is. */
  settled: Version | null
  /** Projects with fewer charges are counted each time. */
  leastCharges: number
  /** Answers that are not saved yet. */
  listNew(projectId: string, name: string): KeptAnswer[]
  keep(answers: readonly KeptAnswer[]): void
}
