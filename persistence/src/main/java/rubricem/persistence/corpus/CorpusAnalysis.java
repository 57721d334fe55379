package rubricem.persistence.corpus;

import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.icu.ICUFoldingFilter;
import org.apache.lucene.analysis.icu.segmentation.DefaultICUTokenizerConfig;
import org.apache.lucene.analysis.icu.segmentation.ICUTokenizer;
import org.apache.lucene.analysis.miscellaneous.PerFieldAnalyzerWrapper;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter;

/**
 * How text becomes terms, for every language alike: words by the Unicode rules (dictionaries for
 * Thai and its neighbours, pairs of characters for Chinese, Japanese and Korean), without case
 * and accents; a compound such as {@code max_connections} also by its parts. One field holds the
 * terms as they are, the other their English stems, which harm no other language because queries
 * go the same way.
 */
final class CorpusAnalysis {
  private static final int PARTS =
      WordDelimiterGraphFilter.GENERATE_WORD_PARTS
          | WordDelimiterGraphFilter.GENERATE_NUMBER_PARTS
          | WordDelimiterGraphFilter.SPLIT_ON_CASE_CHANGE
          | WordDelimiterGraphFilter.PRESERVE_ORIGINAL;

  private CorpusAnalysis() {}

  static Analyzer perField() {
    return new PerFieldAnalyzerWrapper(new Terms(true), Map.of(Fields.EXACT, new Terms(false)));
  }

  private static final class Terms extends Analyzer {
    private final boolean stemmed;

    Terms(boolean stemmed) {
      this.stemmed = stemmed;
    }

    @Override
    protected TokenStreamComponents createComponents(String field) {
      Tokenizer words = new ICUTokenizer(new DefaultICUTokenizerConfig(false, true));
      TokenStream terms = new CJKBigramFilter(words, allScripts(), true);
      terms = new WordDelimiterGraphFilter(terms, PARTS, null);
      if (stemmed) {
        terms = new EnglishPossessiveFilter(terms);
      }
      terms = new ICUFoldingFilter(terms);
      if (stemmed) {
        terms = new StopFilter(terms, EnglishAnalyzer.getDefaultStopSet());
        terms = new PorterStemFilter(terms);
      }
      return new TokenStreamComponents(words, terms);
    }

    private static int allScripts() {
      return CJKBigramFilter.HAN
          | CJKBigramFilter.HIRAGANA
          | CJKBigramFilter.KATAKANA
          | CJKBigramFilter.HANGUL;
    }
  }
}
