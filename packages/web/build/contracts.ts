import type { Plugin } from 'vite'

// A top-level constant, as the TypeScript step before prints it.
const constant = /^((?:export )?const \w+ = )([\s\S]*?);$(?=\n(?![\t })\]])|\n?$(?![\s\S]))/gm

/**
 * Contracts are built by calls of zod, and a bundler must take every call for one that does something. The shared package
 * has no side effects by its own rule, so each of its constants that is made by a call is marked as pure: a page that uses
 * only the rules beside a contract (a price, a state's name) does not load zod at all.
 */
export function pureContracts(): Plugin {
  const mark = (whole: string, name: string, value: string) => {
    const isFunction = /^(async )?(\w+|\([^)]*\)) =>/.test(value)
    return isFunction || !value.includes('(') ? whole : `${name}/*#__PURE__*/ (() => ${asExpression(value)})();`
  }
  // An arrow would take the brace of an object for its own.
  const asExpression = (value: string) => (value.startsWith('{') ? `(${value})` : value)
  return {
    name: 'pure-contracts',
    transform: {
      filter: { id: /packages[\\/]shared[\\/]src[\\/][^?]*$/ },
      handler: (code) => ({ code: code.replace(constant, mark), map: null }),
    },
  }
}

/**
 * Forms that check with a contract get a copy of the shared modules of their own. A module is in one file only: were the
 * contracts of a form in the file that every page takes its rules from, every page would load zod.
 */
export function contractsApart(): Plugin {
  const isShared = (id: string) => /packages[\\/]shared[\\/]src[\\/]/.test(id)
  const checksWithContracts = /features[\\/](admin|account)[\\/]/
  return {
    name: 'contracts-apart',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!importer) return null
      const fromForm = checksWithContracts.test(importer) && source.startsWith('@vps/shared/')
      const fromCopy = importer.endsWith('?contracts')
      if (!fromForm && !fromCopy) return null
      const resolved = await this.resolve(source, importer.replace('?contracts', ''), { skipSelf: true })
      // A copy's own imports are copies too, up to the libraries.
      return resolved && isShared(resolved.id) ? { ...resolved, id: `${resolved.id}?contracts` } : resolved
    },
  }
}
