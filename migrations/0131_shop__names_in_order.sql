-- Names as a person orders them: node-2 before node-10, Chinese by its sound. For lists that are sorted whole, not for an index.
create collation by_number (provider = icu, locale = 'zh-u-kn-true');
