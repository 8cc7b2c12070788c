/** Creates the value at the first call and returns the same value afterwards. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
