import java.io.FileInputStream;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.logging.LogManager;
import javax.xml.parsers.DocumentBuilderFactory;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.validation.profiles.Profiles;
import org.verapdf.pdfa.validation.profiles.Rule;
import org.verapdf.pdfa.validation.profiles.ValidationProfile;
import org.verapdf.pdfa.validation.profiles.Variable;
import org.verapdf.pdfa.validation.validators.ValidatorFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Prints the rules of veraPDF's profile of PDF/A-3u that files break: java -cp VERAPDF.jar Validate.java FILE....
 *
 * The package that carries veraPDF lacks the library that reads profiles, so this reads them by the JDK's own.
 */
class Validate {
    private static final PDFAFlavour FLAVOUR = PDFAFlavour.PDFA_3_U;
    private static final String PROFILE = "org/verapdf/pdfa/validation/PDFA-3U.xml";
    private static final int SHOWN = 10;

    public static void main(String[] arguments) throws Exception {
        LogManager.getLogManager().reset();
        VeraGreenfieldFoundryProvider.initialise();
        var profile = profile();
        for (var file : arguments) {
            judge(file, profile);
        }
    }

    private static void judge(String file, ValidationProfile profile) throws Exception {
        try (var parser = Foundries.defaultInstance().createParser(new FileInputStream(file), FLAVOUR);
                var validator = ValidatorFactory.createValidator(profile, SHOWN, false, true, false)) {
            var result = validator.validate(parser);
            System.out.println(result.isCompliant() ? "valid" : "invalid");
            for (var broken : result.getTestAssertions()) {
                var rule = broken.getRuleId();
                System.out.println(rule.getClause() + "-" + rule.getTestNumber() + " " + broken.getMessage());
            }
        }
    }

    private static ValidationProfile profile() throws Exception {
        var source = Foundries.class.getClassLoader().getResourceAsStream(PROFILE);
        var root = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(source).getDocumentElement();
        var rules = new HashSet<Rule>();
        NodeList listed = root.getElementsByTagName("rule");
        for (int at = 0; at < listed.getLength(); at++) {
            rules.add(rule((Element) listed.item(at)));
        }
        var variables = new HashSet<Variable>();
        NodeList named = root.getElementsByTagName("variable");
        for (int at = 0; at < named.getLength(); at++) {
            variables.add(variable((Element) named.item(at)));
        }
        return Profiles.profileFromValues(
                FLAVOUR, Profiles.profileDetailsFromValues("", "", "", new Date()), "", rules, variables);
    }

    private static Rule rule(Element rule) {
        var id = (Element) rule.getElementsByTagName("id").item(0);
        var ruleId = Profiles.ruleIdFromValues(
                PDFAFlavour.Specification.valueOf(id.getAttribute("specification")),
                id.getAttribute("clause"),
                Integer.parseInt(id.getAttribute("testNumber")));
        return Profiles.ruleFromValues(
                ruleId,
                rule.getAttribute("object"),
                rule.getAttribute("deferred").equals("true") ? true : null,
                "",
                text(rule, "description"),
                text(rule, "test"),
                Profiles.errorFromValues(text(rule, "message"), List.of()),
                List.of());
    }

    private static Variable variable(Element variable) {
        return Profiles.variableFromValues(
                variable.getAttribute("name"),
                variable.getAttribute("object"),
                text(variable, "defaultValue"),
                text(variable, "value"));
    }

    private static String text(Element parent, String name) {
        return parent.getElementsByTagName(name).item(0).getTextContent();
    }
}
