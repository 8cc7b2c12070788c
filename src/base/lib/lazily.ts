/** Makes a value when it is first asked for. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
