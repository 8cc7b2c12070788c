export const texts = {
  title: 'overview',
}
