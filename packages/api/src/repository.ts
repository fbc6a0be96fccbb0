/** The folder of all packages, from sources, build and bundle alike. */
export const repository = import.meta.dirname.slice(0, import.meta.dirname.lastIndexOf('/packages/'))
